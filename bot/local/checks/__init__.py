"""Discord's checks of commands, messages, components, modals and suggestions."""
