(class_declaration name: (type_identifier) @name) @class
(class_declaration name: (user_type (type_identifier) @name)) @scope
(protocol_declaration name: (type_identifier) @name) @class
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration name: "init" @name) @method
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(navigation_expression target: (simple_identifier) @call)
(user_type (type_identifier) @call)
(import_declaration) @import
