//! Named feature sets: the features of published players, in the order of their weights.

use super::{Feature, feature};
use crate::registry::{Entry, find};
use crate::spec::SpecError;

/// A list of features with a name: their ids, in the order of the weights.
pub type NamedSet = Entry<&'static [&'static str]>;

impl NamedSet {
    /// The features themselves.
    #[must_use]
    pub fn resolve(&self) -> Vec<&'static Feature> {
        let known =
            |id: &&str| feature(id).expect("a set names features that exist: a test sees to it");
        self.make.iter().map(known).collect()
    }
}

/// The feature set with this name.
///
/// # Errors
/// If the name is unknown; the error suggests a similar one.
pub fn feature_set(id: &str) -> Result<&'static NamedSet, SpecError> {
    find(FEATURE_SETS, "feature set", id)
}

/// Every named feature set. To add one, add its row here.
///
/// The thesis counts only transitions between cells: its worked values, 17 and 29, are odd, but
/// with filled walls or a filled floor the counts are always even on a board ten columns wide.
pub const FEATURE_SETS: &[NamedSet] = &[
    NamedSet {
        id: "dellacherie",
        definition: "Dellacherie's six features of the move and the board",
        source: "Dellacherie 2003, published by Fahey",
        settings: &[],
        make: &[
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
        ],
    },
    NamedSet {
        id: "bcts",
        definition: "Dellacherie's six, the depth of holes and the rows with holes",
        source: "Thiery and Scherrer 2009; Boumaza 2009",
        settings: &[],
        make: &[
            "landing_height",
            "eroded_piece_cells",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
            "hole_depth",
            "rows_with_holes",
        ],
    },
    NamedSet {
        id: "dt",
        definition: "the features of BCTS with another sum of wells, and the diversity of columns",
        source: "Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer et al. 2015",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "rv-ce",
        definition: "the features of dt with Dellacherie\'s wells",
        source: "GameAI-NJUPT 2026 (Robust-Validation Cross-Entropy)",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "bdu",
        definition: "column heights and differences in addition to the features of BCTS",
        source: "Thiery and Scherrer 2009; MDPTetris, record_bdu",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "bertsekas-22",
        definition: "column heights and differences, the highest column, holes and a constant",
        source: "Bertsekas and Ioffe 1996",
        settings: &[],
        make: &[
            "constant",
            "column_heights",
            "column_differences",
            "max_height",
            "holes",
        ],
    },
    NamedSet {
        id: "lagoudakis",
        definition: "heights, holes, and their changes by the move",
        source: "Lagoudakis, Parr and Littman 2002 as in MDPTetris",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "bohm-12",
        definition: "twelve features of a two-piece player on a small board",
        source: "Böhm, Kókai and Mandl 2005",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "romero-19",
        definition: "nineteen features from which harmony search selected",
        source: "Romero, Tomes and Yusiong 2011",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "near-perfect",
        definition: "heights, full rows, holes and bumpiness",
        source: "Lee 2013 (near-perfect); scored with full rows still on the board",
        settings: &[],
        make: &["sum_heights", "complete_lines", "holes", "bumpiness"],
    },
    NamedSet {
        id: "strategies",
        definition: "whether a line is cleared, holes, and the variation of heights",
        source: "strategies",
        settings: &[],
        make: &["any_line", "holes", "variation"],
    },
    NamedSet {
        id: "thesis-4",
        definition: "the best four features of the thesis",
        source: "thesis T10, 4 features",
        settings: &[],
        make: &["landing_height_top", "sum_heights", "holes", "bumpiness"],
    },
    NamedSet {
        id: "thesis-5",
        definition: "the best five features of the thesis",
        source: "thesis T10, 5 features",
        settings: &[],
        make: &[
            "landing_height_top",
            "sum_heights",
            "holes",
            "bumpiness",
            "lines_cleared",
        ],
    },
    NamedSet {
        id: "thesis-6",
        definition: "the best six features of the thesis",
        source: "thesis T10, 6 features",
        settings: &[],
        make: &[
            "landing_height_top",
            "mean_height",
            "holes",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
        ],
    },
    NamedSet {
        id: "thesis-7",
        definition: "the best seven features of the thesis",
        source: "thesis T10, 7 features",
        settings: &[],
        make: &[
            "landing_height_top",
            "mean_height",
            "holes",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "altitude_difference",
        ],
    },
    NamedSet {
        id: "thesis-8",
        definition: "the best eight features of the thesis",
        source: "thesis T10, 8 features",
        settings: &[],
        make: &[
            "landing_height_top",
            "mean_height",
            "row_transitions_no_walls",
            "column_transitions_inner",
            "bumpiness",
            "weighted_relative_height",
            "altitude_difference",
            "thesis_well_max",
        ],
    },
    NamedSet {
        id: "thesis-10",
        definition: "the best ten features of the thesis",
        source: "thesis T10, 10 features",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "thesis-14",
        definition: "all fourteen features of the thesis",
        source: "thesis T10, 14 features",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "misakamm",
        definition: "transitions, holes by their distance from the walls, heights, adaptability and wells",
        source: "Misakamm 2026 (tetr-ai v2.0)",
        settings: &[],
        make: &[
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
    },
    NamedSet {
        id: "xtris",
        definition: "features of the xtris bot",
        source: "xtris 1996 (Llima, Bercot, Blondeel) as in Fahey's StandardTetris",
        settings: &[],
        make: &[
            "xtris_frontier",
            "xtris_max_height",
            "holes",
            "drop_distance",
            "xtris_pits",
            "xtris_embedded_holes",
        ],
    },
    NamedSet {
        id: "fahey",
        definition: "features of Fahey's two-piece player",
        source: "Fahey 2003, two-piece player",
        settings: &[],
        make: &[
            "lines_cleared",
            "occupied_cells",
            "holes",
            "weighted_cells",
            "well_depths",
        ],
    },
    NamedSet {
        id: "pso-nus",
        definition: "eight features for a particle swarm",
        source: "Wang et al. 2018 (PSO, NUS)",
        settings: &[],
        make: &[
            "lines_cleared",
            "sum_heights",
            "max_height",
            "bumpiness",
            "holes",
            "max_well_depth_filled",
            "column_transitions",
            "row_transitions",
        ],
    },
    NamedSet {
        id: "el-tetris",
        definition: "Dellacherie's features with lines instead of eroded cells",
        source: "El-Ashi 2011 (El-Tetris)",
        settings: &[],
        make: &[
            "landing_height_el_tetris",
            "lines_cleared",
            "row_transitions",
            "column_transitions",
            "holes",
            "well_sums",
        ],
    },
    NamedSet {
        id: "afterstate-13",
        definition: "thirteen features of the board after a placement, none of the placement itself",
        source: "ours",
        settings: &[],
        make: &[
            "holes",
            "rows_with_holes",
            "hole_depth",
            "row_transitions",
            "column_transitions",
            "well_sums",
            "diversity",
            "max_height",
            "sum_heights",
            "highest_hole",
            "shape_adaptability",
            "max_well_depth",
            "bumpiness",
        ],
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
                assert!(features.len() >= set.make.len(), "{}", set.id);
            }
            assert!(!set.source.is_empty() && !set.definition.is_empty());
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
