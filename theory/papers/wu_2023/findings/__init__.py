"""What was found about the paper, by the module of the statements concerned."""
