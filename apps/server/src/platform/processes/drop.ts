/** What a process may be allowed, by Node's names. */
type Permission = 'fs.write' | 'worker' | 'addon' | 'child';

/** Gives up a permission of this process for good; nothing in a process that has no permissions set. */
export function drop(permission: Permission): void {
  const held = process.permission as
    (typeof process.permission & { drop(scope: Permission): void }) | undefined;
  held?.drop(permission);
}
