(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name)] @name)) @function
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name))) @method
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name))) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name)))) @method
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (qualified_identifier scope: (_) @container name: (identifier) @name)))) @method
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (namespace_identifier) @name) @scope
(alias_declaration name: (type_identifier) @name) @class
(preproc_function_def name: (identifier) @name) @function
(call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call) (qualified_identifier name: (identifier) @call) (template_function name: (identifier) @call)])
(new_expression type: (type_identifier) @call)
(base_class_clause (type_identifier) @call)
(parameter_declaration type: (type_identifier) @call)
(preproc_include) @import
