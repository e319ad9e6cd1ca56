(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name) @class
(trait_item name: (type_identifier) @name) @class
(type_item name: (type_identifier) @name) @class
(macro_definition name: (identifier) @name) @function
(impl_item type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]) @scope
(mod_item name: (identifier) @name body: (_)) @scope
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call) (scoped_identifier name: (identifier) @call) (generic_function function: (identifier) @call)])
(scoped_identifier path: (identifier) @call)
(macro_invocation macro: (identifier) @call)
(struct_expression name: (type_identifier) @call)
(parameter type: [(type_identifier) @call (reference_type type: (type_identifier) @call)])
(impl_item trait: (type_identifier) @call)
(use_declaration) @import
(mod_item name: (identifier) !body) @import
