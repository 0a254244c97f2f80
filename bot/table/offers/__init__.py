"""Everything that a person can do now: choices, forms and one-line commands, made from the declarations of
actions.
"""
