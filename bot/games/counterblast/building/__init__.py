"""Making models and crews: drafts, upgrades, sheets, and the book of figures."""
