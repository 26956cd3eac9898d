type Permission = 'fs.write' | 'worker' | 'addon' | 'child';

export function drop(permission: Permission): void {
  const held = process.permission as
    (typeof process.permission & { drop(scope: Permission): void }) | undefined;
  held?.drop(permission);
}
