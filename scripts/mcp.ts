// The bridge between a program on this machine and Engram; `engram mcp`.
await import('../packages/mcp-bridge/src/main.ts');
