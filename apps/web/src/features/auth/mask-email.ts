/** An address of which only its owner recognises more: 'an•••@example.com'. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = Array.from(email.slice(0, at));
  const shown = name.length > 3 ? 2 : 1;
  return `${name.slice(0, shown).join('')}•••${email.slice(at)}`;
}
