(function_declaration name: (identifier) @name) @function
(function_signature name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(type_alias_declaration name: (type_identifier) @name) @class
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @method
(abstract_method_signature name: (property_identifier) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (class)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @function
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(call_expression function: [(identifier) @call (member_expression property: (property_identifier) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (property_identifier) @call)])
(type_annotation (type_identifier) @call)
(type_arguments (type_identifier) @call)
(array_type (type_identifier) @call)
(generic_type name: (type_identifier) @call)
(extends_clause value: (identifier) @call)
(implements_clause (type_identifier) @call)
(extends_type_clause (type_identifier) @call)
(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string)) (#eq? @_require "require")) @import
(call_expression function: (import)) @import
