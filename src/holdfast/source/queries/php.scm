(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @class
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @class
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(function_call_expression function: [(name) @call (qualified_name (name) @call)])
(member_call_expression name: (name) @call)
(scoped_call_expression scope: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression [(name) @call (qualified_name (name) @call)])
(base_clause (name) @call)
(class_interface_clause (name) @call)
(named_type (name) @call)
(namespace_use_clause) @import
