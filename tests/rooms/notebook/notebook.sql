-- name: of_project
-- The newest notes of a project and those for all projects; '' is every project.
SELECT * FROM note
WHERE owner = :owner AND (:project_id = '' OR project_id IN (:project_id, ''))
ORDER BY made_at DESC, id DESC LIMIT :limit
