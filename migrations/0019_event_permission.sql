-- +goose Up

-- Until now every administrator could read events. Roles that exist keep this right; new ones are given it.
UPDATE roles SET permissions = CASE WHEN permissions IN ('{}', 'null') THEN '{"EVENT":["VIEW"]}'
    ELSE '{"EVENT":["VIEW"],' || SUBSTR(permissions, 2) END
WHERE master = FALSE;
