/** The address under which assistants reach this Engram. */
export const mcpAddress = (): string => `${window.location.origin}/mcp`;
