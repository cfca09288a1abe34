"""Agents, which ask by the Model Context Protocol: `checks mcp`."""
