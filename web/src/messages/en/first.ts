export { common } from "./common";
export { components } from "./components";
export { inbox } from "./inbox";
export { lib } from "./lib";
export { pages } from "./pages";
export { shell } from "./shell";
export { signIn } from "./signIn";
