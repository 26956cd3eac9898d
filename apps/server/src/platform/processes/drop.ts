type Permission = 'fs.write' | 'worker' | 'addon' | 'child';

export function drop(permission: Permission): void {
  const permissions = process.permission as
    (typeof process.permission & { drop(scope: Permission): void }) | undefined;
  permissions?.drop(permission);
}
