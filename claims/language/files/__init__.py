"""The files of a folder of claims, from TOML to frozen, typed claims. See docs/claim-language.md."""
