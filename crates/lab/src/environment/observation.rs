//! The arrays through which games are observed, with one row per game.

/// The number that represents no piece.
pub const NOTHING: u8 = 7;

/// Number of values per game in each array; 0 for an absent array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strides {
    /// Cells of the board.
    pub board: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Columns of the falling piece.
    pub falling: usize,
    /// Visible pieces.
    pub pieces: usize,
    /// Actions.
    pub mask: usize,
    /// Features.
    pub features: usize,
    /// Cells of all afterstates.
    pub boards: usize,
    /// Lines of all afterstates.
    pub lines: usize,
    /// Whether afterstates end the game.
    pub over: usize,
}

macro_rules! observations {
    ($($(#[$doc:meta])* $name:ident: $number:ty),* $(,)?) => {
        /// Observations of games side by side.
        #[derive(Debug, Default)]
        pub struct Observations<'a> {
            $($(#[$doc])* pub $name: &'a mut [$number],)*
        }

        impl<'a> Observations<'a> {
            /// Splits off the first `games` games.
            pub(super) fn split(self, games: usize, strides: &Strides) -> (Observations<'a>, Observations<'a>) {
                $(let $name = self.$name.split_at_mut(games * strides.$name);)*
                (Observations { $($name: $name.0),* }, Observations { $($name: $name.1),* })
            }

            /// One game.
            pub(super) fn game(&mut self, game: usize, strides: &Strides) -> Observations<'_> {
                Observations {
                    $($name: &mut self.$name[game * strides.$name..(game + 1) * strides.$name]),*
                }
            }

            /// Whether all arrays fit this many games.
            pub(super) fn fits(&self, games: usize, strides: &Strides) -> bool {
                true $(&& self.$name.len() == games * strides.$name)*
            }
        }
    };
}

observations! {
    /// Cells of the board, top row first: 0 is empty, 1 is filled, 2 is the falling piece.
    board: u8,
    /// Columns of the board, left to right; bit 0 is the bottom row.
    columns: u64,
    /// Columns of the falling piece, in the same format.
    falling: u64,
    /// The current piece, those after it and the hold, each one-hot encoded or as a number.
    pieces: u8,
    /// Which actions are legal.
    mask: i8,
    /// Features of the last step, or of every afterstate.
    features: f32,
    /// The cells of every afterstate.
    boards: u8,
    /// The lines cleared by the step to every afterstate.
    lines: u8,
    /// Whether an afterstate ends the game.
    over: i8,
}

impl Observations<'_> {
    /// Marks the first `count` afterstates as legal, and erases the rest.
    pub(super) fn end_afterstates(&mut self, count: usize) {
        let actions = self.mask.len();
        let (numbers, cells) = (self.features.len() / actions, self.boards.len() / actions);
        self.mask[..count].fill(1);
        self.mask[count..].fill(0);
        self.lines[count..].fill(0);
        self.over[count..].fill(0);
        self.features[numbers * count..].fill(0.0);
        self.boards[cells * count..].fill(0);
    }
}

/// Outputs of a step besides observations, one value per game.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// Rewards.
    pub rewards: &'a mut [f64],
    /// Whether the game is over.
    pub terminated: &'a mut [bool],
    /// Whether the episode was truncated.
    pub truncated: &'a mut [bool],
    /// Lines of the step.
    pub lines: &'a mut [i64],
    /// Lines of the episode so far.
    pub total_lines: &'a mut [i64],
    /// Pieces of the episode so far.
    pub total_pieces: &'a mut [i64],
    /// Whether the action was legal; an illegal one is replaced by the nearest legal one.
    pub legal: &'a mut [bool],
}

impl<'a> Outputs<'a> {
    pub(super) fn split(self, games: usize) -> (Outputs<'a>, Outputs<'a>) {
        let rewards = self.rewards.split_at_mut(games);
        let terminated = self.terminated.split_at_mut(games);
        let truncated = self.truncated.split_at_mut(games);
        let lines = self.lines.split_at_mut(games);
        let total_lines = self.total_lines.split_at_mut(games);
        let total_pieces = self.total_pieces.split_at_mut(games);
        let legal = self.legal.split_at_mut(games);
        let first = Outputs {
            rewards: rewards.0,
            terminated: terminated.0,
            truncated: truncated.0,
            lines: lines.0,
            total_lines: total_lines.0,
            total_pieces: total_pieces.0,
            legal: legal.0,
        };
        let others = Outputs {
            rewards: rewards.1,
            terminated: terminated.1,
            truncated: truncated.1,
            lines: lines.1,
            total_lines: total_lines.1,
            total_pieces: total_pieces.1,
            legal: legal.1,
        };
        (first, others)
    }

    pub(super) fn fits(&self, games: usize) -> bool {
        let lengths = [
            self.rewards.len(),
            self.terminated.len(),
            self.truncated.len(),
            self.lines.len(),
            self.total_lines.len(),
            self.total_pieces.len(),
            self.legal.len(),
        ];
        lengths.iter().all(|&length| length == games)
    }
}
