(create_table (object_reference name: (identifier) @name)) @class
(create_view (object_reference name: (identifier) @name)) @class
(create_function (object_reference name: (identifier) @name)) @function
(create_index column: (identifier) @name) @class
(create_trigger (object_reference name: (identifier) @name)) @function
(relation (object_reference name: (identifier) @call))
(invocation (object_reference name: (identifier) @call))
