-- +goose Up

-- Roles of administrators who work in some stores only. Their administrators.role_id is NULL.
CREATE TABLE administrator_roles (
    store_id BIGINT NOT NULL REFERENCES stores (store_id),
    admin_id TEXT   NOT NULL REFERENCES administrators (admin_id),
    role_id  BIGINT NOT NULL REFERENCES roles (role_id),
    PRIMARY KEY (store_id, admin_id)
) WITHOUT ROWID;
CREATE INDEX administrator_roles_admin ON administrator_roles (admin_id);
CREATE INDEX administrator_roles_role ON administrator_roles (role_id); -- who has a role

-- When the link of an invitation expires. Administrators who accepted one, or were added with a password, have none.
ALTER TABLE administrators ADD COLUMN invited_until BIGINT;
