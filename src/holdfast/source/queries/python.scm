(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(function_definition body: (block . (expression_statement (string) @doc)))
(class_definition body: (block . (expression_statement (string) @doc)))
(module . (comment)* . (expression_statement (string) @doc))
(call function: [(identifier) @call (attribute attribute: (identifier) @call)])
(decorator [(identifier) @call (attribute attribute: (identifier) @call)])
(class_definition superclasses: (argument_list [(identifier) @call (attribute attribute: (identifier) @call)]))
(type [(identifier) @call (attribute attribute: (identifier) @call)])
(import_statement) @import
(import_from_statement) @import
