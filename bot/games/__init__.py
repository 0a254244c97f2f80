"""The games at the table: what each adds to the common commands, one package for each rule system."""
