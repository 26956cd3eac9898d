/** Addresses that Markdown renderers turn into links. */
const ADDRESS =
  /(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s`<>"|]+|(?<![^\s`<>"@,;:()[\]|])[^\s`<>"@,;:()[\]|]+@[^\s`<>"@,;:()[\]|][^\s`<>"@,;:()[\]|.]*\.[^\s`<>"@,;:()[\]|]*[\p{L}\p{N}]/iu;
const SPECIAL = /[\\`*[\]<>|~]|&(?=[#\w]+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Escapes a text so that nothing in it becomes a link, image, HTML, block or citation. */
export function escapeMarkdown(text: string): string {
  return escapeStart(withAddressesAsCode(text.replace(/\s+/gu, ' ').trim(), escapeSpecial));
}

function withAddressesAsCode(text: string, between: (part: string) => string): string {
  const parts: string[] = [];
  let rest = text;
  // The rest is searched again, because another address may follow directly.
  for (let match = ADDRESS.exec(rest); match !== null; match = ADDRESS.exec(rest)) {
    parts.push(between(rest.slice(0, match.index)), `\`${match[0]}\``);
    rest = rest.slice(match.index + match[0].length);
  }
  return parts.join('') + between(rest);
}

function escapeSpecial(text: string): string {
  return text.replace(SPECIAL, String.raw`\$&`);
}

function escapeStart(line: string): string {
  return line
    .replace(/^#{1,6} /u, '')
    .replace(/^([#+\-=])/u, String.raw`\$1`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/u, String.raw`$1\$2`);
}

/** Writes addresses as code, which Markdown renderers do not link. */
export const addressesAsCode = (markdown: string): string =>
  withAddressesAsCode(markdown, (part) => part);
