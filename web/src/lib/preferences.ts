import { recall, remember } from "@/lib/remembered";
import { Store, useStore } from "@/lib/store";

export type Density = "comfortable" | "compact";

/** Choices of this browser: they are nobody's data and are not sent anywhere. */
const density = new Store<Density>(recall<Density>("density", "comfortable"));
const agentHidden = new Store<boolean>(recall("agent.hidden", false));

export function useDensity(): [Density, (value: Density) => void] {
  return [useStore(density), chooseDensity];
}

export function chooseDensity(value: Density): void {
  density.set(value);
  remember("density", value);
  document.documentElement.dataset.density = value;
}

/** Whether the document page leaves the agent's tab away. */
export function useAgentHidden(): [boolean, (value: boolean) => void] {
  return [useStore(agentHidden), hideAgent];
}

export function hideAgent(value: boolean): void {
  agentHidden.set(value);
  remember("agent.hidden", value);
}
