"""The doors: hooks, REST, RPC, MCP, the plugin's pane, the command line. They gather and show; they decide nothing."""
