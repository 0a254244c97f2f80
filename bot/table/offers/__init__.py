"""Choices, forms and one-line commands for everything a person can do now, made from declarations."""
