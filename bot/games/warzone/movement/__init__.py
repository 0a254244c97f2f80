"""How models move, jump, fall and pass gaps."""
