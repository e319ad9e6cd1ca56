(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(type_definition declarator: (type_identifier) @name) @class
(preproc_function_def name: (identifier) @name) @function
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
(parameter_declaration type: (type_identifier) @call)
(preproc_include) @import
