(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name accessors: (_)) @method
(invocation_expression function: [(identifier) @call (member_access_expression name: (identifier) @call) (generic_name (identifier) @call) (member_access_expression name: (generic_name (identifier) @call))])
(member_access_expression expression: (identifier) @call)
(object_creation_expression type: [(identifier) @call (generic_name (identifier) @call)])
(base_list (identifier) @call)
(parameter type: (identifier) @call)
(using_directive) @import
