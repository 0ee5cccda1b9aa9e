var l="/assets/icon-6YZKSHUR.svg";export{l as a};
