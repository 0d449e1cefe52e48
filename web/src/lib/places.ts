/** A rectangle on a page as shown: left, top, right, bottom; 0 to 1 from the page's top left corner. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** A box on a page; pages are counted from 1. */
export interface Spot {
  page: number;
  box: Box;
}

/** Words on the pages that lead to something else, such as the field whose value they prove. */
export interface Target extends Spot {
  id: string;
}
