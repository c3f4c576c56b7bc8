//! Named feature sets: what published players look at, in the order of their weights.

use super::{Feature, feature};
use crate::spec::SpecError;

/// A list of features with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedSet {
    /// Its name.
    pub id: &'static str,
    /// The ids of the features, in the order of the weights.
    pub features: &'static [&'static str],
    /// Where it comes from.
    pub source: &'static str,
}

impl NamedSet {
    /// The features themselves.
    #[must_use]
    pub fn resolve(&self) -> Vec<&'static Feature> {
        let known =
            |id: &&str| feature(id).expect("a set names features that exist: a test sees to it");
        self.features.iter().map(known).collect()
    }
}

/// The feature set with this name.
///
/// # Errors
/// When there is none; the error suggests the nearest.
pub fn feature_set(id: &str) -> Result<&'static NamedSet, SpecError> {
    FEATURE_SETS
        .iter()
        .find(|set| set.id == id)
        .ok_or_else(|| SpecError::unknown("feature set", id, FEATURE_SETS.iter().map(|set| set.id)))
}

/// Every named feature set. To add one, add its row here.
///
/// The thesis counts transitions from cell to cell: its worked values, 17 and 29, are odd, and filled walls or a
/// filled floor always give even numbers on a board ten wide.
pub const FEATURE_SETS: &[NamedSet] = &[
    NamedSet {
        id: "dellacherie",
        features: &[
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
        ],
        source: "Dellacherie 2003, published by Fahey",
    },
    NamedSet {
        id: "bcts",
        features: &[
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
            "hole_depth",
            "rows_with_holes",
        ],
        source: "Thiery and Scherrer 2009; Boumaza 2009",
    },
    NamedSet {
        id: "dt",
        features: &[
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums_fast",
            "hole_depth",
            "rows_with_holes",
            "diversity",
        ],
        source: "Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer et al. 2015",
    },
    NamedSet {
        id: "rv-ce",
        features: &[
            "rows_with_holes",
            "column_transitions",
            "well_sums",
            "landing_height",
            "row_transitions",
            "holes",
            "eroded_piece_cells",
            "diversity",
            "hole_depth",
        ],
        source: "GameAI-NJUPT 2026 (Robust-Validation Cross-Entropy): the features of dt with Dellacherie's wells",
    },
    NamedSet {
        id: "bdu",
        features: &[
            "column_heights",
            "column_differences",
            "max_height",
            "holes",
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "well_sums",
            "hole_depth",
            "rows_with_holes",
        ],
        source: "Thiery and Scherrer 2009; MDPTetris, record_bdu",
    },
    NamedSet {
        id: "bertsekas-22",
        features: &[
            "constant",
            "column_heights",
            "column_differences",
            "max_height",
            "holes",
        ],
        source: "Bertsekas and Ioffe 1996",
    },
    NamedSet {
        id: "lagoudakis",
        features: &[
            "constant",
            "max_height",
            "holes",
            "bumpiness",
            "mean_height",
            "delta_holes",
            "delta_max_height",
            "delta_bumpiness",
            "delta_mean_height",
            "lines_cleared",
        ],
        source: "Lagoudakis, Parr and Littman 2002 as in MDPTetris",
    },
    NamedSet {
        id: "bohm-12",
        features: &[
            "max_height",
            "holes",
            "connected_holes",
            "lines_cleared",
            "altitude_difference",
            "max_well_depth",
            "well_depths",
            "landing_height",
            "occupied_cells",
            "weighted_cells",
            "row_transitions",
            "column_transitions",
        ],
        source: "Böhm, Kókai and Mandl 2005",
    },
    NamedSet {
        id: "romero-19",
        features: &[
            "max_height",
            "holes",
            "connected_holes",
            "lines_cleared",
            "altitude_difference",
            "max_well_depth",
            "well_depths",
            "landing_height",
            "occupied_cells",
            "weighted_cells",
            "row_transitions",
            "column_transitions",
            "highest_hole",
            "cells_above_highest_hole",
            "potential_rows",
            "bumpiness_circular",
            "eroded_piece_cells",
            "rows_with_holes",
            "hole_depth_all",
        ],
        source: "Romero, Tomes and Yusiong 2011",
    },
    NamedSet {
        id: "near-perfect",
        features: &["sum_heights", "complete_lines", "holes", "bumpiness"],
        source: "Lee 2013 (near-perfect); scored with full rows still on the board",
    },
    NamedSet {
        id: "strategies",
        features: &["any_line", "holes", "variation"],
        source: "strategies",
    },
    NamedSet {
        id: "thesis-4",
        features: &["landing_height_top", "sum_heights", "holes", "bumpiness"],
        source: "thesis T10, 4 features",
    },
    NamedSet {
        id: "thesis-5",
        features: &[
            "landing_height_top",
            "sum_heights",
            "holes",
            "bumpiness",
            "lines_cleared",
        ],
        source: "thesis T10, 5 features",
    },
    NamedSet {
        id: "thesis-6",
        features: &[
            "landing_height_top",
            "mean_height",
            "holes",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
        ],
        source: "thesis T10, 6 features",
    },
    NamedSet {
        id: "thesis-7",
        features: &[
            "landing_height_top",
            "mean_height",
            "holes",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "altitude_difference",
        ],
        source: "thesis T10, 7 features",
    },
    NamedSet {
        id: "thesis-8",
        features: &[
            "landing_height_top",
            "mean_height",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
            "altitude_difference",
            "thesis_well_max",
        ],
        source: "thesis T10, 8 features",
    },
    NamedSet {
        id: "thesis-10",
        features: &[
            "landing_height_top",
            "mean_height",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
            "max_height",
            "min_height",
            "lines_cleared",
            "thesis_well_sum",
        ],
        source: "thesis T10, 10 features",
    },
    NamedSet {
        id: "thesis-14",
        features: &[
            "landing_height_top",
            "sum_heights",
            "mean_height",
            "holes",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
            "max_height",
            "min_height",
            "lines_cleared",
            "thesis_well_max",
            "thesis_well_sum",
            "board_fill",
        ],
        source: "thesis T10, 14 features",
    },
    NamedSet {
        id: "misakamm",
        features: &[
            "row_transitions",
            "column_transitions",
            "holes",
            "wall_holes_0",
            "wall_holes_1",
            "wall_holes_2",
            "highest_hole_column_height",
            "piece_distance_to_top",
            "lines_cleared",
            "shape_adaptability",
            "misakamm_wells",
        ],
        source: "Misakamm 2026 (tetr-ai v2.0)",
    },
    NamedSet {
        id: "xtris",
        features: &[
            "xtris_frontier",
            "xtris_max_height",
            "holes",
            "drop_distance",
            "xtris_pits",
            "xtris_embedded_holes",
        ],
        source: "xtris 1996 (Llima, Bercot, Blondeel) as in Fahey's StandardTetris",
    },
    NamedSet {
        id: "fahey",
        features: &[
            "lines_cleared",
            "occupied_cells",
            "holes",
            "weighted_cells",
            "well_depths",
        ],
        source: "Fahey 2003, two-piece player",
    },
    NamedSet {
        id: "pso-nus",
        features: &[
            "lines_cleared",
            "sum_heights",
            "max_height",
            "bumpiness",
            "holes",
            "max_well_depth_filled",
            "column_transitions",
            "row_transitions",
        ],
        source: "Wang et al. 2018 (PSO, NUS)",
    },
    NamedSet {
        id: "el-tetris",
        features: &[
            "landing_height_el_tetris",
            "lines_cleared",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
        ],
        source: "El-Ashi 2011 (El-Tetris)",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::WIDTHS;
    use crate::features::FeatureSet;

    #[test]
    fn every_set_names_known_features_and_fits_every_width() {
        for set in FEATURE_SETS {
            for width in WIDTHS {
                let features = FeatureSet::new(set.resolve(), width);
                assert!(features.len() >= set.features.len(), "{}", set.id);
            }
            assert!(!set.source.is_empty());
        }
    }

    #[test]
    fn sets_have_as_many_numbers_as_the_papers_say() {
        let len = |id: &str| FeatureSet::new(feature_set(id).unwrap().resolve(), 10).len();
        assert_eq!(len("bdu"), 28);
        assert_eq!(len("bertsekas-22"), 22);
        assert_eq!(len("lagoudakis"), 10);
        assert_eq!(len("bohm-12"), 12);
        assert_eq!(len("romero-19"), 19);
        assert_eq!(len("misakamm"), 11);
        for size in [4, 5, 6, 7, 8, 10, 14] {
            assert_eq!(len(&format!("thesis-{size}")), size);
        }
    }

    #[test]
    fn names_are_unique_and_a_wrong_one_is_corrected() {
        let mut ids: Vec<_> = FEATURE_SETS.iter().map(|set| set.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
        let error = feature_set("delacherie").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no feature set 'delacherie'; did you mean 'dellacherie'?"
        );
    }
}
