// Links that contain a game: its compressed record after the # of the address, which is not sent.
// @ts-check

/** Links longer than this are truncated by some programs. */
const LONGEST = 30_000;

/** @param {Uint8Array} bytes */
function toText(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} text */
function toBytes(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** @param {Blob} blob @param {any} transform */
async function through(blob, transform) {
  return new Uint8Array(await new Response(blob.stream().pipeThrough(transform)).arrayBuffer());
}

/**
 * The part of an address that contains a game.
 * @param {string} record @param {string} player who helps
 */
export async function encode(record, player) {
  const packed = toText(await through(new Blob([record]), new CompressionStream('deflate-raw')));
  if (packed.length > LONGEST) throw new Error('this game is too long for a link; save its record instead');
  return new URLSearchParams({ game: packed, player }).toString();
}

/**
 * The game in an address, if there is one.
 * @param {string} hash
 */
export async function decode(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const packed = fields.get('game');
  if (!packed) return null;
  try {
    const bytes = await through(new Blob([toBytes(packed)]), new DecompressionStream('deflate-raw'));
    return { record: new TextDecoder().decode(bytes), player: fields.get('player') ?? 'bcts' };
  } catch {
    throw new Error('the link is damaged: its game cannot be read; ask the sender for a new link');
  }
}
