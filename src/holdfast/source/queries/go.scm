(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @container (pointer_type [(type_identifier) @container (generic_type type: (type_identifier) @container)]) (generic_type type: (type_identifier) @container)])) name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name) @class
(call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
(composite_literal type: [(type_identifier) @call (qualified_type name: (type_identifier) @call)])
(parameter_declaration type: [(type_identifier) @call (pointer_type (type_identifier) @call) (qualified_type name: (type_identifier) @call) (pointer_type (qualified_type name: (type_identifier) @call))])
(import_spec) @import
