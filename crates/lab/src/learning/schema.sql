-- Runs, their generations and candidates, and who made them when. Vectors are JSON arrays.

CREATE TABLE runs (
    number INTEGER PRIMARY KEY,   -- in the order in which they were begun
    id TEXT NOT NULL UNIQUE,      -- the name of the run's folder
    plan TEXT NOT NULL,           -- every setting, as JSON
    ended TEXT                    -- why; NULL while there is something left to do
) STRICT;

CREATE TABLE generations (
    id TEXT NOT NULL REFERENCES runs (id),
    run INTEGER NOT NULL,         -- which of the independent runs of the plan, from 0
    number INTEGER NOT NULL,      -- which generation, from 0
    best REAL NOT NULL,           -- fitness
    mean REAL NOT NULL,
    spread REAL,                  -- how far the candidates lie apart
    sigma REAL,                   -- the step size of learners that have one
    eigenvalues TEXT NOT NULL,    -- of the covariance matrix of learners that have one
    solution TEXT NOT NULL,       -- the weights that the learner would have us use
    games INTEGER NOT NULL,
    pieces INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (id, run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE candidates (
    id TEXT NOT NULL,
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    candidate INTEGER NOT NULL,   -- in the order in which the learner asked, from 0
    vector TEXT NOT NULL,
    fitness REAL NOT NULL,
    PRIMARY KEY (id, run, number, candidate),
    FOREIGN KEY (id, run, number) REFERENCES generations (id, run, number)
) STRICT, WITHOUT ROWID;

-- One row for each process that began or resumed a run.
CREATE TABLE provenance (
    id TEXT NOT NULL REFERENCES runs (id),
    at TEXT NOT NULL,             -- UTC
    version TEXT NOT NULL,        -- of tetrolab
    platform TEXT NOT NULL,
    process INTEGER NOT NULL,
    command TEXT NOT NULL         -- repeats the run
) STRICT;
