"""The journal: undo, redo, questions, telling the story, exports."""
