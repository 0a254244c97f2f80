"""Building crews: which models may be in a crew, their equipment and their costs."""
