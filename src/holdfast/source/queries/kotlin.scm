(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(navigation_expression . (identifier) @call)
(constructor_invocation (user_type (identifier) @call))
(user_type (identifier) @call)
(import) @import
