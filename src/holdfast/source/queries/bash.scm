(function_definition name: (word) @name) @function
(command name: (command_name (word) @call))
(command name: (command_name (word) @_source) (#match? @_source "^(source|\\.)$")) @import
