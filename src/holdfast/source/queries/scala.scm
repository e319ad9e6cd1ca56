(class_definition name: (identifier) @name) @class
(object_definition name: (identifier) @name) @class
(trait_definition name: (identifier) @name) @class
(enum_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(function_declaration name: (identifier) @name) @function
(call_expression function: [(identifier) @call (field_expression field: (identifier) @call) (generic_function function: (identifier) @call)])
(field_expression value: (identifier) @call)
(instance_expression (type_identifier) @call)
(extends_clause type: (type_identifier) @call)
(parameter type: (type_identifier) @call)
(import_declaration) @import
