// The modules of node that the tests use, without the types of the whole of node.
declare module "node:assert/strict";
declare module "node:test";
