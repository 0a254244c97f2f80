"""Buttons, menus, forms and the live panel; their ids carry what they mean, so a restart loses none."""
