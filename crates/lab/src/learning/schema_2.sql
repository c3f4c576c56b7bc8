-- What layout 2 of a store adds to schema.sql, which is layout 1.

-- Why each of the independent runs of a plan ended.
CREATE TABLE endings (
    id TEXT NOT NULL REFERENCES runs (id),
    run INTEGER NOT NULL,         -- which of the independent runs, from 0
    generations INTEGER NOT NULL, -- how many generations it has
    reason TEXT NOT NULL,
    PRIMARY KEY (id, run)
) STRICT, WITHOUT ROWID;

-- Hashes of what is stored, to find damage.
CREATE TABLE checks (
    id TEXT NOT NULL REFERENCES runs (id),
    part TEXT NOT NULL,           -- 'run', or 'RUN/NUMBER' of a generation
    hash TEXT NOT NULL,           -- of its rows and of the hash of the generation before
    PRIMARY KEY (id, part)
) STRICT, WITHOUT ROWID;
