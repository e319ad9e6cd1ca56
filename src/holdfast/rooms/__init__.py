"""The rooms. Each has one duty and the same files: model, rules, service, hooks, tools. Rooms never import rooms."""
