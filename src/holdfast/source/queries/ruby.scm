(class name: [(constant) @name (scope_resolution name: (constant) @name)]) @class
(module name: [(constant) @name (scope_resolution name: (constant) @name)]) @class
(method name: [(identifier) (constant) (operator) (setter)] @name) @function
(singleton_method name: [(identifier) (constant)] @name) @function
(call method: [(identifier) (constant)] @call)
(call receiver: (constant) @call)
(superclass (constant) @call)
(scope_resolution name: (constant) @call)
(call method: (identifier) @_require arguments: (argument_list . (string)) (#match? @_require "^require(_relative)?$")) @import
