import{A as e,D as t,U as r}from"/assets/chunk-T3DIWBAJ.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
