"""What Discord refuses about the forms it is sent: commands, messages, components, modals, suggestions."""
