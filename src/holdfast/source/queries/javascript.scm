(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (class)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @function
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(call_expression function: [(identifier) @call (member_expression property: (property_identifier) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(class_heritage (identifier) @call)
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)
(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string)) (#eq? @_require "require")) @import
(call_expression function: (import)) @import
