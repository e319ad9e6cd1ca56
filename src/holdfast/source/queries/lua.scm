(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (identifier) @container field: (identifier) @name)) @method
(function_declaration name: (method_index_expression table: (identifier) @container method: (identifier) @name)) @method
(assignment_statement (variable_list name: (identifier) @name) (expression_list value: (function_definition))) @function
(assignment_statement (variable_list name: (dot_index_expression field: (identifier) @name)) (expression_list value: (function_definition))) @function
(function_call name: [(identifier) @call (dot_index_expression field: (identifier) @call) (method_index_expression method: (identifier) @call)])
(function_call name: (identifier) @_require (#eq? @_require "require")) @import
