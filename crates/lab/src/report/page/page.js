'use strict';
// Copies commands, and replays recorded games. The page is readable without it.
document.documentElement.classList.add('scripted');

for (const box of document.querySelectorAll('.command')) {
  const button = box.querySelector('button');
  button.addEventListener('click', () => {
    const text = box.querySelector('code').textContent;
    const done = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    };
    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(box.querySelector('code'));
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      done('Selected');
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => done('Copied'), select);
    else select();
  });
}

// A game: {width, height, start: [rows from the bottom], moves: "T0405061 ..."}. A move is the
// letter of the piece and four cells, each with one digit for the row and one for the column.
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
for (const figure of document.querySelectorAll('.replay')) {
  const game = JSON.parse(figure.querySelector('script').textContent);
  const { width, height } = game;
  const moves = game.moves ? game.moves.split(' ') : [];
  const cells = [...figure.querySelectorAll('rect[data-cell]')];
  // Pieces may rest above the rows that are drawn until full rows are removed.
  const rows = height + 4;
  const [slider, speed] = [figure.querySelector('input'), figure.querySelector('select')];
  const [back, play, next] = figure.querySelectorAll('button');
  const output = figure.querySelector('output');
  const EVERY = 200;
  const kept = [];
  let at = 0;
  let lines = 0;
  let board = [];
  let timer = null;

  const cellsOf = (move) => [0, 1, 2, 3].map((k) => [
    DIGITS.indexOf(move[1 + 2 * k]), DIGITS.indexOf(move[2 + 2 * k])]);
  const row = (text) => [...(text || '')].map((sign) => (sign === '#' ? 'settled' : 'empty'));
  const restart = () => {
    board = [];
    for (let r = 0; r < rows; r += 1) {
      const given = row(game.start[r]);
      board.push(given.length ? given : Array(width).fill('empty'));
    }
    at = 0;
    lines = 0;
  };
  // Shows the board with move number `at` in place, before its full rows are removed.
  const remove = () => {
    const left = board.filter((cells) => cells.includes('empty'));
    lines += board.length - left.length;
    while (left.length < board.length) left.push(Array(width).fill('empty'));
    board = left.map((cells) => cells.map((cell) => (cell === 'empty' ? cell : 'settled')));
  };
  const place = () => {
    if (at > 0) remove();
    const move = moves[at];
    for (const [r, c] of cellsOf(move)) if (board[r]) board[r][c] = move[0];
    at += 1;
  };
  const goTo = (wanted) => {
    if (wanted < at) {
      const from = kept[Math.floor(wanted / EVERY)];
      if (from) { board = from.board.map((cells) => [...cells]); at = from.at; lines = from.lines; }
      else restart();
    }
    while (at < wanted) {
      if (at % EVERY === 0 && !kept[at / EVERY]) {
        kept[at / EVERY] = { board: board.map((cells) => [...cells]), at, lines };
      }
      place();
    }
    show();
  };
  const show = () => {
    cells.forEach((cell, index) => {
      cell.setAttribute('class', board[Math.floor(index / width)][index % width]);
    });
    const full = board.filter((cells) => !cells.includes('empty')).length;
    slider.value = at;
    const words = `piece ${at} of ${moves.length}, ${lines + full} lines`;
    slider.setAttribute('aria-valuetext', words);
    output.textContent = words + (at === moves.length && game.end ? ` · ${game.end}` : '');
    back.disabled = at === 0;
    next.disabled = at === moves.length;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = 'Play';
    output.setAttribute('aria-live', 'polite');
  };
  const start = () => {
    if (at === moves.length) goTo(0);
    play.textContent = 'Pause';
    output.setAttribute('aria-live', 'off');
    timer = setInterval(() => {
      if (at >= moves.length) stop();
      else goTo(at + 1);
    }, 1000 / Number(speed.value));
  };
  play.addEventListener('click', () => (timer ? stop() : start()));
  back.addEventListener('click', () => { stop(); goTo(Math.max(0, at - 1)); });
  next.addEventListener('click', () => { stop(); goTo(Math.min(moves.length, at + 1)); });
  slider.addEventListener('input', () => { stop(); goTo(Number(slider.value)); });
  speed.addEventListener('change', () => { if (timer) { stop(); start(); } });
  figure.querySelector('.controls').hidden = false;
  restart();
  goTo(Math.min(game.shown, moves.length));
}
