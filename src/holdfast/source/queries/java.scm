(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(annotation_type_declaration name: (identifier) @name) @class
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(method_invocation name: (identifier) @call)
(method_invocation object: (identifier) @call)
(method_reference (identifier) @call)
(object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call)])
(superclass (type_identifier) @call)
(super_interfaces (type_list (type_identifier) @call))
(formal_parameter type: [(type_identifier) @call (generic_type (type_identifier) @call)])
(field_declaration type: [(type_identifier) @call (generic_type (type_identifier) @call)])
(local_variable_declaration type: [(type_identifier) @call (generic_type (type_identifier) @call)])
(marker_annotation name: (identifier) @call)
(import_declaration) @import
