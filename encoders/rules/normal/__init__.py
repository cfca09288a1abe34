"""The normal form of games: what files may say in several ways the rules of proof see in one."""
