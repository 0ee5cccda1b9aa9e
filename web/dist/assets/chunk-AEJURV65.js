import{E as e,Q as t,la as r}from"/assets/chunk-VFQZK6ZL.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
